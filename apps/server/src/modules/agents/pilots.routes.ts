import { pilotRoutes, pilotsPerPage, wholeNumberOf } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type Identity, signedBy } from '../identity/index.ts'
import type { AuditEntry } from '../operations/index.ts'
import type { Pilots } from './pilots/pilots.ts'

export interface PilotRouteDeps {
  pilots: Pilots
  clock: Clock
  audit(entry: AuditEntry): Promise<void>
}

export function addPilotRoutes(routes: Routes<Identity>, { pilots, clock, audit }: PilotRouteDeps): void {
  routes.add(pilotRoutes.create, async ({ params, body, identity }) => {
    const { experimentId } = params
    const pilot = await pilots.create(experimentId, body, identity)
    await audit({
      at: clock.now(),
      actor: signedBy(identity),
      action: 'pilot_created',
      subject: experimentId,
      details: { pilotId: pilot.pilotId, rooms: body.rooms },
    })
    return pilot
  })
  routes.add(
    pilotRoutes.list,
    async ({ params, query }) =>
      await pilots.list(params.experimentId, wholeNumberOf(query.limit, pilotsPerPage), query.before ?? null),
  )
}
