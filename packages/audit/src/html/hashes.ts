// The hashes of the page's style and script, for its Content-Security-Policy; a test compares them.

/** Of `style`. */
export const styleHash = "sha256-pQXISzgwmxaukgzaJTk6e1OVdSxXePfvWizhKgJnOlw=";
/** Of `script`. */
export const scriptHash = "sha256-myHhm/QNS7Yg8wStRWCztdFQXf7ZbMYUjZcs5uoObEs=";
