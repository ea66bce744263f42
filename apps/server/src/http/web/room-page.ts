import type { FastifyInstance } from 'fastify'

/**
 * `redirectUrl` of `room_assigned` leads here when there is no router, or when the router does not know the room. The
 * page reads the room from the query, as rule 4 of the contract says.
 */
export function addRoomPage(app: FastifyInstance, onlyPod: string | undefined): void {
  app.get<{ Params: { roomId: string } }>('/experiment/:roomId', async (request, reply) => {
    const { roomId } = request.params
    if (!/^room_[\w-]+$/.test(roomId)) return reply.callNotFound()
    const query = new URLSearchParams({ roomId, ...(onlyPod !== undefined && { pod: onlyPod }) })
    return reply.redirect(`/experiment?${query}`, 302)
  })
}
