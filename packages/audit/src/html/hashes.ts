// Contains the hashes of the page's style and script, for the page's Content-Security-Policy. A test checks these hashes.

/** The hash of `style`. */
export const styleHash = "sha256-3ktj/TCbDeOQZCDWrmYJhCc34BDv80BBNCNJHhRTck0=";
/** The hash of `script`. */
export const scriptHash = "sha256-myHhm/QNS7Yg8wStRWCztdFQXf7ZbMYUjZcs5uoObEs=";
