import type { collected as en } from '../en/participant-collected.ts'

export const collected: typeof en = {
  intro: 'Außer Ihren Antworten zeichnet diese Studie auf:',
  kinds: {
    focus: 'wann und wie lange Sie diese Seite verlassen',
    paste: 'wie oft Sie Text einfügen, und wie viele Zeichen',
    typing: 'den Rhythmus Ihres Tippens, aber nicht, welche Tasten Sie drücken',
    device:
      'welche Art von Gerät, Browser und System Sie benutzen, mit Touchscreen oder Maus; die Größe des Fensters und die Auflösung des Bildschirms; Ihre Sprache und Zeitzone',
    network: 'wie schnell Ihre Verbindung antwortet',
  },
}
