import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createOwnHosts, originForm } from './own-hosts.ts'

const configured = ['https://Study.Example.org:8443', 'http://lab.example.org', 'backend-1', '::1', undefined]

interface Sent {
  hosts?: string[]
  forwarded?: string[]
  target?: string
  version?: string
}

function asked({ hosts = [], forwarded = [], target = '/', version = '1.1' }: Sent): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  request.url = target
  request.httpVersion = version
  request.rawHeaders = [
    ...hosts.flatMap((host) => ['Host', host]),
    ...forwarded.flatMap((host) => ['X-Forwarded-Host', host]),
  ]
  return request
}

const isOwn = (sent: Sent, isFromProxy = false): boolean =>
  createOwnHosts({ configured, isFromProxy: () => isFromProxy })(asked(sent))

describe('[H1] whether a request calls us by a name of ours', () => {
  test.each([
    'localhost',
    'localhost:3000',
    'LOCALHOST.:80',
    'objects.localhost:9000',
    '127.0.0.1',
    '127.0.0.1:65535',
    '192.168.7.20:3000',
    '203.0.113.9',
    '[::1]:3000',
    '[::1]',
    '[2001:DB8::7]:3000',
    '[::ffff:127.0.0.1]',
    'study.example.org',
    'STUDY.example.ORG.:9',
    'lab.example.org:3000',
    'backend-1:3000',
  ])('%s is ours', (host) => expect(isOwn({ hosts: [host] })).toBe(true))

  test.each([
    '',
    ' ',
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    'evillocalhost',
    'localhost..',
    '127.0.0.1.evil.example',
    '127.0.0.1.nip.io',
    'study.example.org.evil.example',
    'evil.example@localhost',
    'localhost:3000@evil.example',
    'localhost/evil.example',
    'localhost#evil.example',
    'localhost evil.example',
    'localhost,evil.example',
    'localhost:evil',
    'localhost:',
    '%6cocalhost',
    '[::1',
    '::1',
    '[::1]evil.example',
    '[fe80::1%25eth0]',
    '999.1.1.1',
    'example.org',
    'sub.study.example.org',
    '\u00e9vil.example',
    `${'a'.repeat(16_000)}.example`,
  ])('%j is not ours', (host) => expect(isOwn({ hosts: [host] })).toBe(false))

  test('of several Hosts, each must be ours', () => {
    expect(isOwn({ hosts: ['localhost', 'evil.example'] })).toBe(false)
    expect(isOwn({ hosts: ['evil.example', 'localhost'] })).toBe(false)
    expect(isOwn({ hosts: ['localhost', '127.0.0.1'] })).toBe(true)
  })

  test('a host in the request target counts as well', () => {
    const hosts = ['localhost']
    expect(isOwn({ hosts, target: 'http://evil.example/api' })).toBe(false)
    expect(isOwn({ hosts, target: 'HTTP://evil.example' })).toBe(false)
    expect(isOwn({ hosts, target: 'ws://evil.example:3000/socket.io/' })).toBe(false)
    expect(isOwn({ hosts, target: 'http://localhost@evil.example/' })).toBe(false)
    expect(isOwn({ hosts, target: 'http:///api' })).toBe(false)
    expect(isOwn({ hosts, target: 'http://127.0.0.1:3000/api' })).toBe(true)
    expect(isOwn({ hosts, target: '/?to=http://evil.example/' })).toBe(true)
    expect(isOwn({ hosts, target: '*' })).toBe(true)
  })

  test('only HTTP/1.0 may do without a Host', () => {
    expect(isOwn({})).toBe(false)
    expect(isOwn({ version: '1.0' })).toBe(true)
    expect(isOwn({ version: '1.0', hosts: ['evil.example'] })).toBe(false)
  })

  test('X-Forwarded-Host of a trusted proxy must be ours too, and never makes a foreign Host ours', () => {
    const evil = ['evil.example']
    expect(isOwn({ hosts: ['127.0.0.1'], forwarded: evil }, true)).toBe(false)
    expect(isOwn({ hosts: ['127.0.0.1'], forwarded: ['localhost, evil.example'] }, true)).toBe(false)
    expect(isOwn({ hosts: ['127.0.0.1'], forwarded: ['study.example.org, 127.0.0.1'] }, true)).toBe(true)
    expect(isOwn({ hosts: ['127.0.0.1'], forwarded: evil }, false)).toBe(true)
    for (const trusted of [true, false])
      expect(isOwn({ hosts: evil, forwarded: ['localhost'] }, trusted)).toBe(false)
  })
})

test('[R8] a target with a host is read as its path', () => {
  expect(originForm('http://x/api/v4/participant/events?a=http://y/')).toBe(
    '/api/v4/participant/events?a=http://y/',
  )
  expect(originForm('https://x')).toBe('/')
  expect(originForm('http://x?a')).toBe('/?a')
  for (const same of ['/', '*', '//x/y', '/http://x/', '']) expect(originForm(same)).toBe(same)
})
