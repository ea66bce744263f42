/** R32: the credential is part of the path, so that the relative entries of a playlist inherit it. */
export const mediaRoot = '/media/'

/** `<expiry>` in epoch seconds; the signature covers it and the video. */
export const mediaPath = (expiry: number, signature: string, key: string): string =>
  `${mediaRoot}${expiry}.${signature}/${key}`
