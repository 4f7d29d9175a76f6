// Contains the hashes of the page's style and script, for the page's Content-Security-Policy. A test checks these hashes.

/** The hash of `style`. */
export const styleHash = "sha256-yIegG+g6/wGO4iHbeTzsGFcxNon1ffcdkcCgKjo1zyE=";
/** The hash of `script`. */
export const scriptHash = "sha256-myHhm/QNS7Yg8wStRWCztdFQXf7ZbMYUjZcs5uoObEs=";
