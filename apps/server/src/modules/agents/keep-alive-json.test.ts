import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { keepAliveJson } from './keep-alive-json.ts'

/** A caller over a real connection who has asked, and the response that they wait for. */
async function caller() {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const asked = once(server, 'request') as Promise<[unknown, ServerResponse]>
  const { port } = server.address() as AddressInfo
  const line = connect(port, '127.0.0.1')
  line.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n')
  const [, raw] = await asked
  const closed = once(raw, 'close')
  const hangUp = async () => {
    line.destroy()
    await closed
  }
  return { raw, hangUp }
}

function longWork() {
  const { promise: result, resolve: finish } = Promise.withResolvers<object>()
  let isAbandoned = false
  const abandon = () => {
    isAbandoned = true
    finish({ kind: 'cancelled' })
  }
  return { result, abandon, finish, isAbandoned: () => isAbandoned }
}

test('[AD5] whoever hung up before the work began has it abandoned at once', async () => {
  const { raw, hangUp } = await caller()
  await hangUp()
  const work = longWork()
  keepAliveJson({ raw }, work)
  expect(work.isAbandoned()).toBe(true)
})

test('[AD5] whoever hangs up while it runs has it abandoned', async () => {
  const { raw, hangUp } = await caller()
  const work = longWork()
  keepAliveJson({ raw }, work)
  expect(work.isAbandoned()).toBe(false)
  await hangUp()
  expect(work.isAbandoned()).toBe(true)
})

test('[AD5] whoever waits is sent the result', async () => {
  const { raw, hangUp } = await caller()
  onTestFinished(hangUp)
  const work = longWork()
  const body = keepAliveJson({ raw }, work)
  work.finish({ kind: 'drafted' })
  expect(JSON.parse(await text(body))).toEqual({ kind: 'drafted' })
  expect(work.isAbandoned()).toBe(false)
})
