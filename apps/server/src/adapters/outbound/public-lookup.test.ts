import { expect, it } from 'vitest'
import { createDnsResolve, ownAddressesOf } from './public-lookup.ts'
import { startNameServer } from './test/name-server.ts'

it('[R35,OG3] asks the name servers for all addresses of both kinds', async () => {
  const { address, asked } = await startNameServer({
    'both.example.org': ['93.184.215.14', '2606:4700:4700::1111', '10.0.0.7'],
    'old.example.org': ['93.184.215.14'],
    'new.example.org': ['2606:4700:4700::1111'],
    'empty.example.org': [],
    localhost: ['93.184.215.14'],
  })
  const resolve = createDnsResolve([address])
  expect(await resolve('both.example.org')).toEqual(['93.184.215.14', '10.0.0.7', '2606:4700:4700::1111'])
  expect(await resolve('old.example.org')).toEqual(['93.184.215.14'])
  expect(await resolve('new.example.org')).toEqual(['2606:4700:4700::1111'])
  expect(await resolve('empty.example.org')).toEqual([])
  expect(await resolve('unknown.example.org')).toEqual([])
  expect(asked).toContain('A unknown.example.org')
  expect(asked).toContain('AAAA unknown.example.org')
})

it('[R35,OG3] knows the addresses of this machine', () => {
  expect(ownAddressesOf()).toContain('127.0.0.1')
})
