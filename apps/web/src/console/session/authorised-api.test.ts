import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { experimentRoutes, videoRoutes } from '@atrium/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createApi } from './authorised-api.ts'

let answer = (_request: IncomingMessage, response: ServerResponse): void => void response.end()
const server = createServer((request, response) => answer(request, response))
const realFetch = globalThis.fetch

// Relative addresses need an origin, which Node does not have.
beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  vi.stubGlobal('fetch', (path: string, init: RequestInit) =>
    realFetch(new URL(path, `http://127.0.0.1:${port}`), init),
  )
})
afterEach(async () => {
  vi.unstubAllGlobals()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function identityWith(...tokens: string[]) {
  const wishes: boolean[] = []
  return {
    wishes,
    async idToken({ isRefresh } = { isRefresh: false }) {
      wishes.push(isRefresh)
      if (isRefresh) tokens.shift()
      return tokens[0] ?? ''
    },
  }
}

const reply = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

test('a refused token is renewed once, and the call repeated', async () => {
  answer = ({ headers }, response) =>
    headers.authorization === 'Bearer fresh'
      ? reply(response, 200, { experiments: [] })
      : reply(response, 401, { error: 'Expired', code: 'UNAUTHENTICATED', details: {} })
  const identity = identityWith('stale', 'fresh')
  await expect(createApi(identity, () => undefined).call(experimentRoutes.list, {})).resolves.toEqual({
    experiments: [],
  })
  expect(identity.wishes).toEqual([false, true])
})

test('a token that is refused again is not renewed again', async () => {
  answer = (_, response) => reply(response, 401, { error: 'No', code: 'UNAUTHENTICATED', details: {} })
  const identity = identityWith('stale', 'stale too', 'never used')
  await expect(createApi(identity, () => undefined).call(experimentRoutes.list, {})).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  })
  expect(identity.wishes).toEqual([false, true])
})

test('people who are not researchers are refused without a retry', async () => {
  answer = (_, response) => reply(response, 403, { error: 'No', code: 'FORBIDDEN', details: {} })
  const identity = identityWith('mine')
  const onForbidden = vi.fn()
  await expect(createApi(identity, onForbidden).call(experimentRoutes.list, {})).rejects.toMatchObject({
    status: 403,
  })
  expect(onForbidden).toHaveBeenCalledOnce()
  expect(identity.wishes).toEqual([false])
})

test('[R37] people with view access to an experiment stay in the console', async () => {
  const details = { access: 'view', needed: 'edit' }
  answer = (_, response) => reply(response, 403, { error: 'View only', code: 'FORBIDDEN', details })
  const onForbidden = vi.fn()
  const failed = createApi(identityWith('mine'), onForbidden).call(experimentRoutes.list, {})
  await expect(failed).rejects.toMatchObject({ code: 'FORBIDDEN', message: 'View only' })
  expect(onForbidden).not.toHaveBeenCalled()
})

test('other refusals are passed on unchanged', async () => {
  answer = (_, response) => reply(response, 409, { error: 'Busy', code: 'STATUS_CONFLICT', details: {} })
  const onForbidden = vi.fn()
  const failed = createApi(identityWith('mine'), onForbidden).call(experimentRoutes.list, {})
  await expect(failed).rejects.toMatchObject({ code: 'STATUS_CONFLICT', message: 'Busy' })
  expect(onForbidden).not.toHaveBeenCalled()
})

test('a refusal of what only administrators may do does not end the session', async () => {
  answer = (_, response) => reply(response, 403, { error: 'Admins only', code: 'FORBIDDEN', details: {} })
  const onForbidden = vi.fn()
  const retry = createApi(identityWith('mine'), onForbidden).call(videoRoutes.retry, {
    params: { videoId: 'v' },
  })
  await expect(retry).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(onForbidden).not.toHaveBeenCalled()
})
