import { type StubReply, startStubModelServer } from '@atrium/testkit'
import { expect, it, onTestFinished } from 'vitest'
import type { Identity } from '../../identity/index.ts'
import type { AuditEntry } from '../../operations/index.ts'
import { createOpenAiProvider } from '../providers/openai-provider.ts'
import { createStudyDrafts } from './study-drafts.ts'

const ada: Identity = {
  issuer: 'test',
  subject: 'ada',
  isResearcher: true,
  isAdmin: false,
} as Identity

it('[AD5] a draft ends when its time is up, another one begins or the server stops, and says so', async () => {
  const server = await startStubModelServer({ onCompletion: () => new Promise<StubReply>(() => {}) })
  onTestFinished(server.stop)
  const audited: AuditEntry[] = []
  const open = (maxMs?: number) =>
    createStudyDrafts({
      openModel: async (credentialId) => ({
        credentialId,
        model: 'stub-model',
        timeoutMs: 10_000,
        provider: createOpenAiProvider({ ...server, fetch }),
      }),
      checks: { findings: async () => ({ isValid: true, findings: [] }) },
      audit: async (entry) => void audited.push(entry),
      clock: { now: () => 7 },
      onBackgroundError(error) {
        throw error
      },
      ...(maxMs !== undefined && { maxMs }),
    })
  const slow = await open(20).begin('cred_1', 'A study about sleep.', ada)
  expect(await slow.result).toEqual({
    kind: 'failed',
    message: expect.stringMatching(/did not reply in time|because it took too long/),
  })
  const stopping = open()
  const replaced = await stopping.begin('cred_1', 'A study about sleep.', ada)
  const stopped = await stopping.begin('cred_1', 'Another one.', ada)
  expect(await replaced.result).toEqual({
    kind: 'failed',
    message: 'The draft was ended, because another one was begun.',
  })
  stopping.stop()
  expect(await stopped.result).toEqual({
    kind: 'failed',
    message: 'The draft was ended, because the server is being stopped.',
  })
  expect(audited.map(({ details }) => details.outcome)).toEqual(['failed', 'failed', 'failed'])
})
