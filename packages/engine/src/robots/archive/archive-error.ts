// The error for an archive that is damaged, of another version, or no archive at all.

/** Its message names the file inside the archive and what is wrong with it, and quotes no content. */
export class ArchiveError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ArchiveError";
  }
}
