import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Where our own object store is mounted. Presigned addresses begin with the origin and this. */
export const objectsRoot = '/objects'

/** `hosts`: names by which the client may have called us, beside the header Host. */
export type RawHandler = (
  message: IncomingMessage,
  response: ServerResponse,
  hosts: readonly string[],
) => Promise<void>

/**
 * Hands everything below `/objects/` to the object store as it came. The store reads its own bodies, without our limit
 * and without our time-out (`long-bodies.ts`), checks its own credentials, and answers in XML. Clients sign the name by
 * which they call us: that of a proxy we trust, or of the public address.
 */
export function addObjects(app: FastifyInstance, handle: RawHandler, publicUrl?: string): void {
  const publicHosts = publicUrl === undefined ? [] : [new URL(publicUrl).host]
  app.register(async (scope) => {
    // Before anything looks at the body.
    scope.addHook('onRequest', async (request, reply) => {
      reply.hijack()
      await handle(request.raw, reply.raw, [request.host, ...publicHosts])
    })
    scope.route({
      method: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS'],
      url: `${objectsRoot}/*`,
      handler: async () => undefined, // Never reached.
    })
  })
}
