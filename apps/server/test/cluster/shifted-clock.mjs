// Loaded before the server: its machine's clock is wrong by as much as SHIFT_CLOCK_MS says.
const shift = Number(process.env.SHIFT_CLOCK_MS)
const RightDate = Date

globalThis.Date = class extends RightDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RightDate.now() + shift] : given))
  }
  static now() {
    return RightDate.now() + shift
  }
}
