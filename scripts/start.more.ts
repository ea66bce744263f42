import { startOnFreshMachine, waitUntil } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'

test('[R1] a start that is ended during the installation ends it too, and leaves no rules behind', async () => {
  const machine = await startOnFreshMachine()
  onTestFinished(machine.remove)
  await waitUntil(() => machine.aptLog().includes('ffmpeg bubblewrap') || 'apt-get has not been started')
  expect(await machine.stop()).toBe(0)
  expect(machine.aptLog()).toContain('stopped')
  expect(machine.hasServiceRules()).toBe(false)
})
