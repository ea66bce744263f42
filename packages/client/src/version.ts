/** Set by `npm run release`: this package runs where there is no package.json to read. */
export const version = '0.3.0'
