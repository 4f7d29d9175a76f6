// The hashes of the page's style and script, for its Content-Security-Policy; a test compares them.

/** Of `style`. */
export const styleHash = "sha256-+aneVJKkwqD5UZRbU3jW0JkFLq7o9gWoQ93cbOAVOOY=";
/** Of `script`. */
export const scriptHash = "sha256-ky43Pxl8De+62t6aZirqMmTSSbFFyxpUm93LZZVgDzE=";
