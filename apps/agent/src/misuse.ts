/** Something that the operator can put right. The message is one sentence that says what to do; no stack is shown. */
export class Misuse extends Error {
  override name = 'Misuse'
}
