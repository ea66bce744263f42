import { onTestFinished } from 'vitest'

/** Everything that this user made belongs to another one, until the test ends. Only root could give files away. */
export function becomeAnotherUser(): void {
  const { geteuid } = process
  Object.assign(process, { geteuid: () => 12_345 })
  onTestFinished(() => void Object.assign(process, { geteuid }))
}
