/** Why the participant cannot agree yet; empty when they can. */
export function waitText({ leftMs, mustSeeEnd }: { leftMs: number; mustSeeEnd: boolean }): string {
  const seconds = Math.ceil(leftMs / 1_000)
  const time = seconds > 0 ? `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : ''
  if (mustSeeEnd) return `You can agree ${time === '' ? 'once' : `${time}, once`} you have read to the end.`
  return time === '' ? '' : `You can agree ${time}.`
}
