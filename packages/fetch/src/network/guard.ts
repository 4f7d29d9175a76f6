// Makes the address guard for Node's sockets, which parses and compares addresses with node:net.
import { NodeAddressBlocks, octetsOf } from "./address.ts";
import { type GuardMaker, createGuardMaker } from "./guard-maker.ts";

/** Makes a guard. Throws `ERR_INVALID_OPTION` for a list entry that is neither an address nor a block. */
export const createGuard: GuardMaker = createGuardMaker({ octetsOf, createBlocks: () => new NodeAddressBlocks() });
