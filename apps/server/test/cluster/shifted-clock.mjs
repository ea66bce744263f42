// Preloaded into the server to shift its clock by SHIFT_CLOCK_MS, or by the current content of the file
// SHIFT_CLOCK_FILE.
import { readFileSync } from 'node:fs'

const { SHIFT_CLOCK_MS, SHIFT_CLOCK_FILE } = process.env
const shift = () => Number(SHIFT_CLOCK_FILE ? readFileSync(SHIFT_CLOCK_FILE, 'utf8') : SHIFT_CLOCK_MS)
const RightDate = Date

globalThis.Date = class extends RightDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RightDate.now() + shift()] : given))
  }
  static now() {
    return RightDate.now() + shift()
  }
}
