// The hashes of the page's style and script, for its Content-Security-Policy; a test compares them.

/** Of `style`. */
export const styleHash = "sha256-YI1drYJCgB6/oZxJxSUZogOKiWdlBwaH3HhwIFXAaoU=";
/** Of `script`. */
export const scriptHash = "sha256-ky43Pxl8De+62t6aZirqMmTSSbFFyxpUm93LZZVgDzE=";
