import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { allRoutes } from '@atrium/contract'
import { waitUntil } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { endLongBodies, mayTakeLong } from './long-bodies.ts'

test('[FI8][V20] every route that takes a file may take long, and no other route', () => {
  for (const { path, bodyType } of allRoutes) {
    const url = path.replace(/:\w+/g, 'a-name')
    const isForFiles = bodyType === 'multipart/form-data'
    for (const sent of [url, `${url}?experimentId=x`]) expect(mayTakeLong(sent), sent).toBe(isForFiles)
    expect(mayTakeLong(`${url}/further`), url).toBe(false)
  }
  expect(mayTakeLong('/objects/films/x')).toBe(true)
  expect(mayTakeLong('/api/v4/participant/files/a/b')).toBe(false)
  expect(mayTakeLong(undefined)).toBe(false)
})

test('[FI8] a client that goes on sending after the answer is cut off', async () => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(401).end()
  })
  endLongBodies(server, { silentMs: 600_000, answeredMs: 50 })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
    server.close()
  })
  let isClosed = false
  let received = ''
  socket.on('error', () => undefined)
  socket.on('data', (bytes) => {
    received += bytes
  })
  socket.on('close', () => {
    isClosed = true
  })
  socket.write('POST /api/upload/video HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n')
  await waitUntil(() => {
    if (socket.writable) socket.write('x')
    return isClosed || 'it is still open'
  })
  expect(received).toMatch(/^HTTP\/1.1 401 /)
})
