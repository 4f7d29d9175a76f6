// The error for an archive that is damaged, of another version, or not an archive at all.

/** An error whose message names the file inside the archive and the fault, and quotes no content. */
export class ArchiveError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ArchiveError";
  }
}
