import { startOnFreshMachine, waitUntil } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'

const installing = '-y -qq --no-install-recommends ffmpeg bubblewrap'

test('[R1] the pages are served while system programs are still being installed', async () => {
  const machine = await startOnFreshMachine()
  onTestFinished(machine.remove)
  const { server } = machine
  await waitUntil(() => machine.aptLog().includes(installing) || 'apt-get has not been started')
  expect(machine.hasServiceRules()).toBe(true)
  for (const path of ['/', '/console', '/sdk/atrium.js', '/health/ready'])
    expect([path, (await fetch(server.http + path)).status]).toEqual([path, 200])
  const page = await (await fetch(server.http)).text()
  for (const [, asset] of page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g))
    expect([asset, (await fetch(server.http + asset)).status]).toEqual([asset, 200])

  machine.letAptInstall()
  await waitUntil(() => !machine.hasServiceRules() || 'the rules about services are still there')
  await waitUntil(() => /system programs installed/.test(server.stderr()) || server.stderr())
  // One line for each step, with its time; nothing of the tools that did it.
  for (const line of server.stderr().trim().split('\n'))
    expect(line).toMatch(/^(atrium: .+(… \d+\.\d s|\(\d+\.\d s\)|\(apt-get .+\))|\{.*\})$/)
  expect(await machine.stop()).toBe(0)
  expect(machine.aptLog()).not.toContain('stopped')
})
