const sentences = {
  REPLY_TIMEOUT: 'The reply was not complete in time.',
  REPLY_TOO_LARGE: 'The reply is too large.',
  REPLY_ENCODED: 'The reply is compressed, although the request did not allow that.',
  REPLY_MALFORMED: 'The reply is not proper HTTP.',
  REDIRECT_REFUSED: 'The reply is a redirect, which is not followed.',
  OUTBOUND_CLOSED: 'The server is shutting down.',
} as const

/** Why a request to somebody else's server ended without a complete reply. A refused address is an `AppError` instead. */
export class OutboundError extends Error {
  readonly code: keyof typeof sentences

  constructor(code: keyof typeof sentences) {
    super(sentences[code])
    this.name = 'OutboundError'
    this.code = code
  }
}
