// The guard of connections over Node's sockets: addresses are read and compared by node:net.
import { NodeAddressBlocks, octetsOf } from "./address.ts";
import { type GuardMaker, createGuardMaker } from "./guard-maker.ts";

/** Makes a guard. Throws `ERR_INVALID_OPTION` for a list entry that is no address and no block. */
export const createGuard: GuardMaker = createGuardMaker({ octetsOf, createBlocks: () => new NodeAddressBlocks() });
