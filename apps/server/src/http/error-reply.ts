import { type ErrorCode, envelopeKindOf, errorBody, errorCatalogue } from '@atrium/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hideApiKeys } from '../kernel/api-key.ts'
import { AppError, validationFailed } from '../kernel/app-error.ts'

/** Our own refusals pass, Fastify's become documented ones, and anything else is a bug of ours. */
function asAppError(error: FastifyError | AppError | Error, requestId: string): AppError {
  if (error instanceof AppError) return error
  const fastify = fastifyRefusals[(error as FastifyError).code ?? '']
  if (fastify) return fastify(error)
  if ((error as FastifyError).statusCode === 400) return badBody('is not valid JSON')
  return new AppError('INTERNAL', { requestId })
}

const badBody = (message: string): AppError => validationFailed([{ path: '', message }])

const fastifyRefusals: Record<string, (error: Error) => AppError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new AppError('PAYLOAD_TOO_LARGE'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => badBody('needs a JSON body with Content-Type: application/json'),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => badBody('has an empty body'),
  FST_ERR_CTP_INVALID_JSON_BODY: () => badBody('is not valid JSON'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => badBody('has a Content-Length that does not fit its body'),
  FST_ERR_BAD_URL: () => badBody('has an address that cannot be read'),
  FST_ERR_MAX_PARAM_LENGTH: () => new AppError('NOT_FOUND'),
}

const retryAfterSeconds: Partial<Record<ErrorCode, number>> = { UNAVAILABLE: 2, RATE_LIMITED: 60 }

export async function replyWithError(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const refusal = asAppError(error, request.id)
  const { status } = errorCatalogue[refusal.code]
  if (refusal.code === 'INTERNAL') request.log.error({ err: error }, 'request failed')
  else if (refusal.code === 'UNAVAILABLE' && !isForLackOfSpace(refusal))
    request.log.warn({ err: refusal.cause ?? error }, 'store unavailable')
  const retryAfter = retryAfterSeconds[refusal.code]
  if (retryAfter !== undefined && !reply.hasHeader('retry-after'))
    reply.header('retry-after', String(retryAfter))
  // Fastify would close the connection, and a client that is still sending would see a reset instead of the answer.
  // Node reads and drops the rest of the body; the request time-out limits that.
  if (refusal.code === 'PAYLOAD_TOO_LARGE') reply.removeHeader('connection')
  await reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(withoutApiKeys)
    .send(errorBody(envelopeKindOf(request.url), refusal))
}

/** Whoever watches the disk has logged it once; a line for each request would take the space that is left. */
const isForLackOfSpace = ({ details, cause }: AppError): boolean =>
  details.reason === 'disk_full' && cause === undefined

/** R49: a refusal may repeat what it refuses, and somebody may have put a key where an id belongs. */
const withoutApiKeys = (body: unknown): string => hideApiKeys(JSON.stringify(body))
