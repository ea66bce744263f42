import type {
  NewProlificStudy,
  ProlificConnection,
  ProlificSubmission,
  RecruitingSite,
} from '@atrium/contract'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type KeyBox, keyHintOf, resealKeys } from '../agents/index.ts'
import { type Identity, signedBy } from '../identity/index.ts'
import { type BonusFileDeps, bonusFile } from './bonus-file.ts'
import { payBonus, type ShownBonus, shownBonus } from './bonuses.ts'
import { draftStudy } from './draft-study.ts'
import type { ProlificApi, SiteSubmission } from './prolific-api.ts'
import type { RecruitingStore } from './recruiting.store.ts'
import { submissionHashOf } from './submission-hash.plan.ts'

export interface RecruitingDeps extends BonusFileDeps {
  store: RecruitingStore
  box: KeyBox
  openApi(token: string): ProlificApi
  publicUrl: string | undefined
  clock: Clock
  audit(entry: {
    at: number
    actor: string
    action: string
    subject: string
    details: Record<string, unknown>
  }): Promise<void>
  warn(facts: Record<string, unknown>, message: string): void
}

export interface SubmissionPlace {
  experimentId: string
  studyId: string
  submissionId: string
}

export type Recruiting = ReturnType<typeof createRecruiting>

/** RC6–RC8: the experiment’s studies at Prolific. The token belongs to the experiment. */
// Long because it is a list: one request to the site each, and what is noted of it.
export function createRecruiting(deps: RecruitingDeps) {
  const { store, box, experiments, openApi, publicUrl, clock } = deps

  const actingFor = (experimentId: string, identity: Identity) => ({
    experimentId,
    actor: signedBy(identity),
    now: clock.now(),
  })

  async function audit(
    experimentId: string,
    identity: Identity,
    action: string,
    details: Record<string, unknown>,
  ): Promise<void> {
    const { actor, now: at } = actingFor(experimentId, identity)
    await deps.audit({ at, actor, action, subject: experimentId, details })
  }

  async function apiFor(experimentId: string): Promise<ProlificApi> {
    const token = await store.token(experimentId)
    if (!token) throw new AppError('PROLIFIC_NOT_CONNECTED')
    const opened = box.open(token.sealedToken, experimentId)
    if (opened.kind !== 'opened') throw new AppError('CREDENTIAL_UNREADABLE')
    return openApi(opened.text)
  }

  async function read(experimentId: string): Promise<ProlificConnection> {
    const token = await store.token(experimentId)
    const studies = await store.studies(experimentId)
    return {
      isConnected: token !== undefined,
      isTokenReadable: token !== undefined && box.canOpen(token.sealedToken),
      tokenHint: token?.tokenHint ?? '',
      studies: studies.map(({ createdAt, ...study }) => ({
        ...study,
        createdAt: new Date(createdAt).toISOString(),
      })),
    }
  }

  /** RC7: the token may reach other studies of its account; this experiment may not. */
  async function refuseForeignStudy(experimentId: string, studyId: string): Promise<void> {
    const studies = await store.studies(experimentId)
    if (!studies.some((study) => study.studyId === studyId)) throw new AppError('PROLIFIC_STUDY_NOT_FOUND')
  }

  async function findSubmission(place: SubmissionPlace) {
    await refuseForeignStudy(place.experimentId, place.studyId)
    const api = await apiFor(place.experimentId)
    const submission = await api.submission(place.submissionId)
    if (submission.studyId !== place.studyId || submission.submissionId !== place.submissionId)
      throw new AppError('PROLIFIC_STUDY_NOT_FOUND')
    return { api, submission }
  }

  return {
    read,

    async connect(experimentId: string, token: string, identity: Identity): Promise<ProlificConnection> {
      await openApi(token).checkToken()
      const sealedToken = box.seal(token, experimentId)
      await store.keepToken(actingFor(experimentId, identity), { sealedToken, tokenHint: keyHintOf(token) })
      return await read(experimentId)
    },

    async disconnect(experimentId: string, identity: Identity): Promise<ProlificConnection> {
      await store.keepToken(actingFor(experimentId, identity), null)
      return await read(experimentId)
    },

    async createStudy(experimentId: string, study: NewProlificStudy, identity: Identity) {
      const origin = publicUrl?.replace(/\/+$/, '') ?? study.origin
      if (origin === undefined)
        throw validationFailed([{ path: '/origin', message: 'is required, because PUBLIC_URL is not set' }])
      const { revision, isPublished } = await experiments.find(experimentId)
      if (!isPublished) throw new AppError('NOT_PUBLISHED')
      const definition = await experiments.definition(experimentId, revision)
      if (!definition.recruiting?.prolific)
        throw validationFailed([
          { path: '', message: 'the definition has no recruiting.prolific, so people could not return' },
        ])
      const api = await apiFor(experimentId)
      const joinUrl = `${origin}/join/${encodeURIComponent(experimentId)}`
      const draft = await api.createDraft(draftStudy(definition, study, joinUrl))
      const acting = actingFor(experimentId, identity)
      await store.addStudy(acting, { studyId: draft.studyId, name: study.name, createdAt: acting.now })
      return draft
    },

    async submissions(experimentId: string, studyId: string) {
      await refuseForeignStudy(experimentId, studyId)
      const api = await apiFor(experimentId)
      const { submissions, isComplete } = await api.submissions(studyId)
      const ids = submissions.map(({ submissionId }) => submissionId)
      const recorded = await store.bonuses(studyId, ids)
      const bonuses = new Map(recorded.map((bonus) => [bonus.submissionId, bonus]))
      const now = clock.now()
      const bonusOf = ({ submissionId }: SiteSubmission): ShownBonus | null => {
        const bonus = bonuses.get(submissionId)
        return bonus ? shownBonus(bonus, now) : null
      }
      return { submissions: submissions.map((each) => viewOf(each, bonusOf(each))), isComplete }
    },

    /** Prolific knows whether a submission is approved, so that it is read first and again after a failure. */
    async approve(place: SubmissionPlace, identity: Identity): Promise<{ status: string }> {
      const { api, submission } = await findSubmission(place)
      if (submission.status === approved) return { status: approved }
      try {
        await api.approve(place.submissionId)
      } catch (error) {
        const { status } = await api.submission(place.submissionId)
        if (status !== approved) throw error
      }
      const { experimentId, studyId, submissionId } = place
      await audit(experimentId, identity, 'prolific_submission_approved', {
        studyId,
        submissionHash: submissionHashOf(submissionId),
      })
      return { status: approved }
    },

    async payBonus(place: SubmissionPlace, amount: number, identity: Identity): Promise<ShownBonus> {
      const { api, submission } = await findSubmission(place)
      const { personId } = submission
      if (personId === undefined) throw new AppError('PROLIFIC_UNAVAILABLE', { reason: 'malformed' })
      const acting = actingFor(place.experimentId, identity)
      return await payBonus({ store, clock }, api, acting, { ...place, personId, amount })
    },

    async settleBonus(
      { experimentId, studyId, submissionId }: SubmissionPlace,
      isPaid: boolean,
      identity: Identity,
    ): Promise<ShownBonus | null> {
      await refuseForeignStudy(experimentId, studyId)
      const bonus = await store.bonus(studyId, submissionId)
      const acting = actingFor(experimentId, identity)
      if (!bonus || shownBonus(bonus, acting.now).status !== 'unknown') throw new AppError('NOT_FOUND')
      if (isPaid) await store.markPaid(acting, submissionId)
      else await store.dropBonus(acting, bonus)
      return isPaid ? { amount: bonus.amount, status: 'done' } : null
    },

    async bonusFile(experimentId: string, site: RecruitingSite, identity: Identity): Promise<string> {
      const { text, people } = await bonusFile(deps, experimentId, site)
      await audit(experimentId, identity, 'bonus_file_read', { site, people })
      return text
    },

    /** At the start, as for the keys of model servers. */
    reseal: (): Promise<void> => resealKeys(deps),
  }
}

const approved = 'APPROVED'

/** Without the id of the person at Prolific, which only owners may see. */
const viewOf = (
  { submissionId, status, startedAt, completedAt, code }: SiteSubmission,
  bonus: ShownBonus | null,
): ProlificSubmission => ({ submissionId, status, startedAt, completedAt, code, bonus })
