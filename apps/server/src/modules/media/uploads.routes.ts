import { uploadRoutes } from '@atrium/contract'
import type { FastifyRequest } from 'fastify'
import type { ArrivalRules } from '../../http/arrivals.ts'
import type { Routes } from '../../http/route.ts'
import type { Identity } from '../identity/index.ts'
import type { Media } from './media.ts'
import { refuseFileFacts } from './uploads.ts'

export interface UploadRouteDeps {
  media: Media
  /** Where small files are kept while they arrive. */
  arrivals: ArrivalRules
  publicUrl: string | undefined
}

const done = { success: true } as const

export function addUploadRoutes(routes: Routes<Identity>, deps: UploadRouteDeps): void {
  const { media, arrivals, publicUrl } = deps
  const { uploads } = media
  /** Parts go to the address under which the client reaches us, if the object store is ours. */
  const originOf = ({ protocol, host }: FastifyRequest): string =>
    publicUrl === undefined ? `${protocol}://${host}` : new URL(publicUrl).origin

  const rules = { ...arrivals, maxBytes: media.mostDirectBytes, refuse: refuseFileFacts }
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
