import { prolificRoutes } from '@atrium/contract'
import { createResearcher, describeInOneMode, startProlificServer, succeeded } from '@atrium/testkit'
import { afterAll, expect, test } from 'vitest'
import { castOf } from './cast.ts'
import { refusalOf } from './refusal.ts'

const prolific = await startProlificServer()
afterAll(() => prolific.stop())

const recruiting = {
  prolific: { codes: { SUCCESS: 'C-DONE', SCREENED_OUT: 'C-OUT', NO_CONSENT: 'C-NO', TIMEOUT: 'C-DONE' } },
}
const study = {
  name: 'A study',
  description: 'Two questions.',
  places: 10,
  minutes: 5,
  reward: 150,
  origin: 'https://lab.example',
}

describeInOneMode(
  'an experiment at Prolific',
  (world) => {
    const cast = castOf(world)

    async function connected() {
      const experimentId = await cast.open({ recruiting })
      const { token } = await cast.researcher()
      const options = { token, params: { experimentId } }
      succeeded(await cast.api.call(prolificRoutes.connect, { ...options, body: { token: prolific.token } }))
      return { experimentId, token, options }
    }
    async function withStudy() {
      const { experimentId, token, options } = await connected()
      const { studyId } = succeeded(
        await cast.api.call(prolificRoutes.createStudy, { ...options, body: study }),
      )
      return { experimentId, studyId, token, params: { experimentId, studyId } }
    }
    async function withSubmission() {
      const place = await withStudy()
      const submission = prolific.takePart(place.studyId, 'person-1', 'C-DONE')
      const options = { token: place.token, params: { ...place.params, submissionId: submission.id } }
      const pay = (amount = 125) => cast.api.call(prolificRoutes.payBonus, { ...options, body: { amount } })
      const approve = () => cast.api.call(prolificRoutes.approve, options)
      const settle = (isPaid: boolean) =>
        cast.api.call(prolificRoutes.settleBonus, { ...options, body: { isPaid } })
      const list = async () => {
        const answer = await cast.api.call(prolificRoutes.submissions, {
          token: place.token,
          params: place.params,
        })
        return succeeded(answer).submissions
      }
      return { ...place, submission, pay, approve, settle, list }
    }
    const paidTo = (before: number) => prolific.paid.slice(before)

    test('[RC6] a token is checked, kept encrypted and never shown; a wrong one is refused', async () => {
      const experimentId = await cast.open({ recruiting })
      const { token } = await cast.researcher()
      const options = { token, params: { experimentId } }
      const connect = (secret: string) =>
        cast.api.call(prolificRoutes.connect, { ...options, body: { token: secret } })
      const wrong = await connect('wrong-token-of-somebody')
      expect(refusalOf(wrong)).toMatchObject({ code: 'PROLIFIC_REFUSED', details: { status: 401 } })
      const create = await cast.api.call(prolificRoutes.createStudy, { ...options, body: study })
      expect(refusalOf(create).code).toBe('PROLIFIC_NOT_CONNECTED')
      const shown = succeeded(await connect(prolific.token))
      expect(shown).toEqual({ isConnected: true, isTokenReadable: true, tokenHint: 'cher', studies: [] })
      expect(JSON.stringify(shown)).not.toContain(prolific.token)
      succeeded(await cast.api.call(prolificRoutes.disconnect, options))
      expect(succeeded(await cast.api.call(prolificRoutes.read, options)).isConnected).toBe(false)
    })

    test('[RC6] a draft has the link of the experiment and one action for each code', async () => {
      const { experimentId, studyId, params, token } = await withStudy()
      expect(prolific.studies.get(studyId)).toMatchObject({
        status: 'UNPUBLISHED',
        external_study_url: `https://lab.example/join/${experimentId}?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}`,
        prolific_id_option: 'url_parameters',
        reward: 150,
        completion_codes: [
          { code: 'C-DONE', code_type: 'COMPLETED', actions: [{ action: 'MANUALLY_REVIEW' }] },
          { code: 'C-OUT', code_type: 'OTHER', actions: [{ action: 'REQUEST_RETURN' }] },
          { code: 'C-NO', code_type: 'NO_CONSENT', actions: [{ action: 'REQUEST_RETURN' }] },
        ],
      })
      const read = await cast.api.call(prolificRoutes.read, { token, params })
      expect(succeeded(read).studies).toMatchObject([{ studyId, name: 'A study' }])
      const plain = await cast.open()
      const options = { token, params: { experimentId: plain }, body: study }
      const refused = refusalOf(await cast.api.call(prolificRoutes.createStudy, options))
      expect(refused.code).toBe('VALIDATION_FAILED')
    })

    test('[RC7] only studies of this experiment, and only submissions to them', async () => {
      const [mine, theirs] = [await withSubmission(), await withSubmission()]
      const at = (studyId: string, submissionId: string) =>
        cast.api.call(prolificRoutes.approve, {
          token: mine.token,
          params: { experimentId: mine.experimentId, studyId, submissionId },
        })
      for (const answer of [
        await at(theirs.studyId, theirs.submission.id),
        await at(mine.studyId, theirs.submission.id),
      ])
        expect(refusalOf(answer).code).toBe('PROLIFIC_STUDY_NOT_FOUND')
      expect(theirs.submission.status).toBe('AWAITING REVIEW')
      const listed = await mine.list()
      expect(listed).toMatchObject([{ submissionId: mine.submission.id, code: 'C-DONE', bonus: null }])
      expect(JSON.stringify(listed)).not.toContain('person-1')
    })

    test('[RC7] a submission is approved once, whatever happens to the response', async () => {
      const { approve, submission } = await withSubmission()
      const transition = `POST /api/v1/submissions/${submission.id}/transition/`
      prolific.trouble(transition, 'lost')
      expect(succeeded(await approve())).toEqual({ status: 'APPROVED' })
      expect(succeeded(await approve())).toEqual({ status: 'APPROVED' })
      expect(prolific.requests.filter((line) => line === transition)).toHaveLength(1)
      const other = await withSubmission()
      prolific.trouble(`POST /api/v1/submissions/${other.submission.id}/transition/`, 'rate limit')
      expect(refusalOf(await other.approve())).toMatchObject({
        code: 'PROLIFIC_UNAVAILABLE',
        details: { reason: 'rate_limited' },
      })
      expect(succeeded(await other.approve())).toEqual({ status: 'APPROVED' })
    })

    test('[RC8] a bonus is paid once, even if many ask for it at the same time', async () => {
      const before = prolific.paid.length
      const { pay, list } = await withSubmission()
      const answers = await Promise.all(Array.from({ length: 5 }, () => pay()))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
      expect(refusalOf(await pay(999))).toMatchObject({
        code: 'PROLIFIC_BONUS_EXISTS',
        details: { amount: 125, status: 'done' },
      })
      expect(paidTo(before)).toEqual([{ participantId: 'person-1', amount: '1.25' }])
      expect(await list()).toMatchObject([{ bonus: { amount: 125, status: 'done' } }])
    })

    test.each(['lost', 'error', 'rate limit'] as const)(
      '[RC8] a payment whose response is missing (%s) is not repeated until a person has looked',
      async (trouble) => {
        const before = prolific.paid.length
        const { pay, settle, list } = await withSubmission()
        prolific.trouble('POST /api/v1/bulk-bonus-payments/', trouble)
        expect(succeeded(await pay())).toEqual({ amount: 125, status: 'unknown' })
        expect(refusalOf(await pay())).toMatchObject({
          code: 'PROLIFIC_BONUS_EXISTS',
          details: { status: 'unknown' },
        })
        const wasPaid = trouble === 'lost'
        expect(paidTo(before)).toHaveLength(wasPaid ? 1 : 0)
        expect(succeeded(await settle(wasPaid))).toEqual(wasPaid ? { amount: 125, status: 'done' } : null)
        expect(refusalOf(await settle(false)).code).toBe('NOT_FOUND')
        expect((await pay()).status).toBe(wasPaid ? 409 : 200)
        expect(paidTo(before)).toHaveLength(1)
        expect(await list()).toMatchObject([{ bonus: { status: 'done' } }])
      },
    )

    test('[RC7] a refusal of Prolific’s does not name the person to editors', async () => {
      const { pay, approve, submission } = await withSubmission()
      for (const [request, ask] of [
        ['POST /api/v1/submissions/bonus-payments/', pay],
        ['POST /api/v1/bulk-bonus-payments/', pay],
        [`POST /api/v1/submissions/${submission.id}/transition/`, approve],
      ] as const) {
        prolific.trouble(request, 'refused')
        const refusal = refusalOf(await ask())
        expect(refusal.code).toBe('PROLIFIC_REFUSED')
        expect(JSON.stringify(refusal)).toContain('Cannot pay …: not enough funds.')
      }
    })

    test('[RC8] what certainly was not paid can be paid again', async () => {
      const before = prolific.paid.length
      const { pay } = await withSubmission()
      for (const [request, trouble, code] of [
        ['POST /api/v1/submissions/bonus-payments/', 'lost', 'PROLIFIC_UNAVAILABLE'],
        ['POST /api/v1/bulk-bonus-payments/', 'refused', 'PROLIFIC_REFUSED'],
      ] as const) {
        prolific.trouble(request, trouble)
        expect(refusalOf(await pay()).code).toBe(code)
      }
      expect(paidTo(before)).toEqual([])
      expect(succeeded(await pay()).status).toBe('done')
    })

    test.each([
      ['no json', 'malformed'],
      ['endless', 'failed'],
      ['redirect', 'failed'],
      ['error', 'failed'],
    ] as const)('[RC6] a response that is wrong (%s) is an error of Prolific’s', async (trouble, reason) => {
      const { experimentId, token, options } = await connected()
      prolific.trouble('POST /api/v1/studies/', trouble)
      const answer = await cast.api.call(prolificRoutes.createStudy, { ...options, body: study })
      expect(refusalOf(answer)).toMatchObject({ code: 'PROLIFIC_UNAVAILABLE', details: { reason } })
      const read = await cast.api.call(prolificRoutes.read, { token, params: { experimentId } })
      expect(succeeded(read).studies).toEqual([])
    })

    test('[RC6] only those who may change the experiment learn of the connection', async () => {
      const { options } = await connected()
      const stranger = await createResearcher(cast.api)
      const answer = await cast.api.call(prolificRoutes.read, { ...options, token: stranger.token })
      expect(refusalOf(answer).code).toBe('EXPERIMENT_NOT_FOUND')
    })
  },
  { env: { PROLIFIC_API_URL: prolific.baseUrl } },
)
