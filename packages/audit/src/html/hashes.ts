// Contains the hashes of the page's style and script, for the page's Content-Security-Policy. A test checks these hashes.

/** The hash of `style`. */
export const styleHash = "sha256-lDMT00mYRkCjOMPn+AO02Zfz90VXNWOQmd9bXTpxamM=";
/** The hash of `script`. */
export const scriptHash = "sha256-a96if0p68NdbE31L55OAKkReja1Qd5uFRN24jpD6WuY=";
