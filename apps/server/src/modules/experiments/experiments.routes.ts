import {
  activityMinutes,
  draftRoutes,
  type ExperimentDefinition,
  experimentRoutes,
  flowRoutes,
  peoplePerPage,
  peopleRoutes,
  plotRoutes,
  recruitmentRoutes,
  recruitsPerPage,
  revisionRoutes,
  revisionsPerPage,
  shareRoutes,
  studyOf,
  wholeNumberOf,
} from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { Clock } from '../../kernel/clock.ts'
import { actorOf, type Identity, signedBy } from '../identity/index.ts'
import type { AuditEntry } from '../operations/index.ts'
import type { DefinitionChecks } from './definition-checks.ts'
import type { Drafts } from './drafts.ts'
import type { ExperimentAccesses } from './experiment-access.ts'
import type { ExperimentRecord } from './experiments.store.ts'
import type { Experiments } from './experiments.ts'
import { refuseOversized } from './parse-definition.ts'
import { createPublishing, type Publishing } from './publishing.ts'

export interface ExperimentRouteDeps {
  experiments: Experiments
  accesses: ExperimentAccesses
  drafts: Drafts
  checks: DefinitionChecks
  /** Throws, with the paths, if a definition names a video that has failed. */
  refuseFailedVideos(definition: ExperimentDefinition): Promise<void>
  clock: Clock
  audit(entry: AuditEntry): Promise<void>
}

type PublishingRouteDeps = ExperimentRouteDeps & { publishing: Publishing }

export function addExperimentRoutes(routes: Routes<Identity>, deps: ExperimentRouteDeps): void {
  const publishing = createPublishing(deps)
  addDefinitionRoutes(routes, { ...deps, publishing })
  addPlotRoutes(routes, deps)
  addRevisionRoutes(routes, deps)
  addDraftRoutes(routes, { ...deps, publishing })
  addShareRoutes(routes, deps)
  addRecruitmentRoutes(routes, deps)
}

function addDefinitionRoutes(
  routes: Routes<Identity>,
  { experiments, accesses, checks, publishing, ...named }: PublishingRouteDeps,
): void {
  const { check, findings } = checks

  routes.addParsing(
    experimentRoutes.check,
    asItCame,
    async ({ body, identity }) => await findings(body, identity, null),
  )
  routes.addParsing(
    experimentRoutes.checkRevision,
    asItCame,
    async ({ params, body, identity }) => await findings(body, identity, params.experimentId),
  )
  routes.addParsing(experimentRoutes.create, ofBoundedSize, async ({ body, identity }) => {
    const { definition, warnings, notes } = await check(body, identity, null)
    return { ...revised(await experiments.create(definition, signedBy(identity))), warnings, notes }
  })
  routes.add(experimentRoutes.begin, async ({ body, identity }) => {
    const { record, isValid } = await publishing.begin(body.definition, identity)
    return { ...revised(record), isValid, version: 1 }
  })
  routes.add(experimentRoutes.list, async ({ identity }) => ({ experiments: await accesses.list(identity) }))
  routes.add(experimentRoutes.read, async ({ params, access }) => ({
    ...(await experiments.read(params.experimentId)),
    access,
  }))
  routes.addParsing(experimentRoutes.revise, ofBoundedSize, async ({ params, query, body, identity }) => {
    const { definition, warnings, notes } = await check(body, identity, params.experimentId)
    if ((await experiments.find(params.experimentId)).status === 'recruiting')
      await named.refuseFailedVideos(studyOf(definition))
    const basedOn = query.basedOn === undefined ? undefined : Number(query.basedOn)
    const record = await experiments.revise(params.experimentId, definition, signedBy(identity), basedOn)
    return { ...revised(record), warnings, notes }
  })
  routes.add(experimentRoutes.changeStatus, async ({ params, body, identity }) => {
    const { experimentId } = params
    // Nobody should be recruited for a video that they cannot see.
    if (body.status === 'recruiting')
      await named.refuseFailedVideos(studyOf((await experiments.read(experimentId)).definition))
    const { status, revision } = body
    return revised(await experiments.changeStatus(experimentId, status, signedBy(identity), revision))
  })
  routes.add(experimentRoutes.remove, async ({ params, identity }) => {
    const { experimentId } = params
    await experiments.remove(experimentId, signedBy(identity))
    return { experimentId }
  })
  routes.add(experimentRoutes.monitor, async ({ params }) => await experiments.monitor(params.experimentId))
  routes.add(
    experimentRoutes.activity,
    async ({ params, query }) =>
      await experiments.activity(params.experimentId, wholeNumberOf(query.minutes, activityMinutes)),
  )
}

/** What happened, without who people are. */
function addPlotRoutes(routes: Routes, { experiments }: ExperimentRouteDeps): void {
  routes.add(flowRoutes.read, async ({ params }) => await experiments.flow(params.experimentId))
  routes.add(plotRoutes.read, async ({ params }) => await experiments.plots(params.experimentId))
  routes.add(
    peopleRoutes.list,
    async ({ params, query }) =>
      await experiments.people(params.experimentId, {
        limit: wholeNumberOf(query.limit, peoplePerPage),
        after: query.after ?? null,
        status: query.status ?? null,
        outcome: query.outcome ?? null,
        condition: query.condition ?? null,
        revision: query.revision === undefined ? null : Number(query.revision),
      }),
  )
  routes.add(
    peopleRoutes.timeline,
    async ({ params }) => await experiments.timeline(params.experimentId, params.participantId),
  )
}

/** What participants of earlier revisions saw remains readable. */
function addRevisionRoutes(routes: Routes, { experiments }: ExperimentRouteDeps): void {
  routes.add(
    revisionRoutes.list,
    async ({ params, query }) =>
      await experiments.revisions(params.experimentId, {
        limit: wholeNumberOf(query.limit, revisionsPerPage),
        before: query.before === undefined ? null : Number(query.before),
      }),
  )
  routes.add(
    revisionRoutes.read,
    async ({ params }) => await experiments.readRevision(params.experimentId, Number(params.revision)),
  )
}

function addDraftRoutes(routes: Routes<Identity>, { drafts, publishing }: PublishingRouteDeps): void {
  routes.add(
    draftRoutes.read,
    async ({ params, query, identity }) =>
      await drafts.read(
        params.experimentId,
        identity,
        query.known === undefined ? undefined : Number(query.known),
      ),
  )
  routes.add(
    draftRoutes.save,
    async ({ params, body, identity }) => await drafts.save(params.experimentId, body, identity),
  )
  routes.add(
    draftRoutes.discard,
    async ({ params, query, identity }) =>
      await drafts.discard(params.experimentId, Number(query.version), identity),
  )
  routes.add(draftRoutes.publish, async ({ params, body, identity }) => {
    const { record, ...published } = await publishing.publish(params.experimentId, body, identity)
    return { ...revised(record), ...published }
  })
}

function addShareRoutes(routes: Routes<Identity>, { accesses }: ExperimentRouteDeps): void {
  routes.add(shareRoutes.read, async ({ params }) => ({ shares: await accesses.shares(params.experimentId) }))
  routes.add(shareRoutes.replace, async ({ params, body, identity }) => ({
    shares: await accesses.share(params.experimentId, body.shares, identity),
  }))
}

/** The only route that tells who somebody is. R47: for owners and admins, nobody else with access to the study. */
function addRecruitmentRoutes(routes: Routes, { experiments, clock, audit }: ExperimentRouteDeps): void {
  routes.add(recruitmentRoutes.list, async ({ params, query, identity }) => {
    const page = await experiments.recruits(params.experimentId, {
      limit: wholeNumberOf(query.limit, recruitsPerPage),
      after: query.after ?? null,
    })
    await audit({
      at: clock.now(),
      actor: actorOf(identity),
      action: 'recruiting_ids_read',
      subject: params.experimentId,
      details: { participants: page.participants.length },
    })
    return page
  })
}

const revised = ({ experimentId, revision, status }: ExperimentRecord) => ({ experimentId, revision, status })

const asItCame = (body: unknown): unknown => body

/** Refuses a definition that is too large or too deep before it is handed to another thread. */
function ofBoundedSize(body: unknown): unknown {
  refuseOversized(body)
  return body
}
