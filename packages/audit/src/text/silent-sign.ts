// The sign before the violations of a crawler whose operator does not say whether it obeys, and the line below a table that explains it.
import { operatorIsSilent } from "../report/finding-words.ts";

export const silentSign = "†";
export const silentLine: string = `  ${silentSign} ${operatorIsSilent}`;
