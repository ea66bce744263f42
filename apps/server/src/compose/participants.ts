import type { Events } from '../modules/events/index.ts'
import type { Experiments } from '../modules/experiments/index.ts'
import type { GuestIssuer } from '../modules/identity/index.ts'
import type { Media } from '../modules/media/index.ts'
import { addGuestRoute } from '../modules/participants/guest.routes.ts'
import { addParticipantV3Routes } from '../modules/participants/participant-v3.routes.ts'
import { addParticipantV4Routes } from '../modules/participants/participant-v4.routes.ts'
import { addWithdrawalRoute } from '../modules/participants/withdrawal.routes.ts'
import type { Privacy } from '../modules/privacy/index.ts'
import type { Sessions } from '../modules/sessions/index.ts'
import type { HttpEdge, Outside } from './outside.ts'
import type { Ports } from './ports.ts'

interface ParticipantPeers {
  experiments: Experiments
  sessions: Sessions
  events: Events
  media: Media
  guests: GuestIssuer
  privacy: Privacy
}

/** What participants call, in both versions. */
export const openParticipants = ({ config, clock, limiter }: Ports, peers: ParticipantPeers): Outside => ({
  routes({ routes }: HttpEdge): void {
    const { experiments, sessions, events, media, guests, privacy } = peers
    if (config.useV4) addParticipantV4Routes(routes, { experiments, sessions, events, media }, clock)
    if (config.useV4) addWithdrawalRoute(routes, { experiments, privacy })
    addParticipantV3Routes(routes, { experiments, sessions, events })
    addGuestRoute(routes, { guests, experiments, sessions, limiter })
  },
})
