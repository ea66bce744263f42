import { badRequest, type Refusal } from '../http/response.ts'

/** What the client is told: its request is malformed, the backend is slow, or it cannot be reached. */
export function refusalFor({ code }: Error & { code?: string }): Refusal {
  switch (code) {
    case 'UND_ERR_INVALID_ARG':
      return badRequest('cannot be passed on: its address or a header is malformed')
    case 'UND_ERR_HEADERS_TIMEOUT':
      return { code: 'GATEWAY_TIMEOUT' }
    default:
      return { code: 'BAD_GATEWAY' }
  }
}
