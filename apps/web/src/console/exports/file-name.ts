export interface ExportFile {
  name: string
  /** Such as `csv`. */
  ending: string
}

/** “Public goods” on 3 August 2026 → `public-goods-2026-08-03.csv`. */
export function exportFileName({ name, ending }: ExportFile, at: Date): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')
    .slice(0, 60)
  return `${words || 'experiment'}-${at.toISOString().slice(0, 10)}.${ending}`
}
