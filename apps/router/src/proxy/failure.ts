import { badRequest, type Refusal } from '../answer.ts'

/** Ours to correct, a backend that is slow, or one that cannot be reached. */
export function refusalFor(error: Error & { code?: string }): Refusal {
  switch (error.code) {
    case 'UND_ERR_INVALID_ARG':
    case 'ERR_UNESCAPED_CHARACTERS':
      return badRequest('cannot be passed on: its address or a header is malformed')
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UPGRADE_TIMEOUT':
      return { code: 'GATEWAY_TIMEOUT' }
    default:
      return { code: 'BAD_GATEWAY' }
  }
}
