/** “Public goods” on 3 August 2026 → `public-goods-2026-08-03.jsonl`. */
export function exportFileName(experimentName: string, at: Date): string {
  const words = experimentName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')
    .slice(0, 60)
  return `${words || 'experiment'}-${at.toISOString().slice(0, 10)}.jsonl`
}
