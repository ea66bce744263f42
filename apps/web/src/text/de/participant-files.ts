import type { files as english } from '../en/participant-files.ts'

export const files: typeof english = {
  loading: 'Bilder und Töne werden geladen …',
  failed: 'Nicht alle Bilder und Töne dieser Seite konnten geladen werden. Bitte prüfen Sie Ihre Verbindung.',
  tryAgain: 'Erneut versuchen',
  goOn: 'Ohne sie fortfahren',
}
