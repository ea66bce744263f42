import { limits, uploadRoutes } from '@atrium/contract'
import type { FastifyRequest } from 'fastify'
import type { ArrivalRules } from '../../http/arrivals.ts'
import type { Routes } from '../../http/route.ts'
import { validationFailed } from '../../kernel/app-error.ts'
import type { Identity } from '../identity/index.ts'
import type { Media } from './media.ts'
import { refuseFileFacts } from './uploaded-file.ts'

export interface UploadRouteDeps {
  media: Media
  /** Where small files are kept while they arrive. */
  arrivals: Omit<ArrivalRules, 'places'>
  publicUrl: string | undefined
}

/** Names in DNS have at most 253 characters; a port follows. Thousands of addresses of parts begin with it. */
const longestHost = 260

/** V14: parts go to the address under which the client reaches us, if the object store is ours. */
export function reachedAt({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): string {
  const origin = `${protocol}://${host}`
  if (!/^https?$/.test(protocol) || host.length > longestHost || !URL.canParse(origin))
    throw validationFailed([
      { path: 'Host', message: 'must be the name or address under which you reach this server' },
    ])
  return new URL(origin).origin
}

const done = { success: true } as const

export function addUploadRoutes(routes: Routes<Identity>, deps: UploadRouteDeps): void {
  const { media, arrivals, publicUrl } = deps
  const { uploads } = media
  const originOf = (request: FastifyRequest): string =>
    publicUrl === undefined ? reachedAt(request) : new URL(publicUrl).origin

  const rules = {
    ...arrivals,
    places: limits.videosArriving,
    maxBytes: media.maxDirectBytes,
    refuse: refuseFileFacts,
    otherwise: 'Upload it in parts.',
  }
  routes.addFile(
    uploadRoutes.direct,
    rules,
    async ({ identity, body }) => await media.uploadDirectly(identity, body),
  )
  routes.add(
    uploadRoutes.initiate,
    async ({ identity, body, request }) => await uploads.initiate(identity, body, originOf(request)),
  )
  routes.add(
    uploadRoutes.sign,
    async ({ identity, body, request }) =>
      await uploads.sign(identity, body, body.partNumbers, originOf(request)),
  )
  routes.add(uploadRoutes.parts, async ({ identity, query }) => await uploads.parts(identity, query))
  routes.add(uploadRoutes.complete, async ({ identity, body }) => {
    await uploads.complete(identity, body, body.parts)
    return done
  })
  routes.add(uploadRoutes.abort, async ({ identity, body }) => {
    await uploads.abort(identity, body)
    return done
  })
}
