import type { shared as english } from '../en/shared.ts'

export const shared: typeof english = {
  noAnswer: 'Der Server antwortet nicht. Bitte prüfen Sie Ihre Verbindung.',
  unexpectedStatus: (status) => `Der Server hat mit dem Status ${status} geantwortet.`,
}
