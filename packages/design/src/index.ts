export { type ColourToken, readColours } from './read-tokens.ts'
