import type { FrameLocator, Locator, Page } from 'playwright-core'

type Place = Page | Locator | FrameLocator

/** What somebody did in one step. */
export interface Deeds {
  named: Set<string>
  typed: Set<string>
}

export const noDeeds = (): Deeds => ({ named: new Set(), typed: new Set() })

/** Somebody with a mouse, who can also type: finds everything by the words that stand on the screen, and keeps a record. */
export interface Hand {
  press(name: string): Promise<void>
  /** For something whose name goes on after these words. */
  pressWhatBegins(name: string): Promise<void>
  /** For something in whose name these words stand. */
  pressWhatSays(words: string): Promise<void>
  write(label: string, text: string): Promise<void>
  choose(label: string, option: string): Promise<void>
  sees(text: string | RegExp): Promise<void>
  /** The same hand, but only in a part of the screen. */
  within(place: Place): Hand
}

/** Fields that must be filled in have a star. */
const labelled = (label: string) => new RegExp(`^${escaped(label)}( ?\\*)?$`)
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

export function createHand(place: Place, deeds: () => Deeds): Hand {
  const pressable = (name: string | RegExp) => {
    const byRole = (role: 'button' | 'link' | 'tab' | 'radio') => place.getByRole(role, { name, exact: true })
    // Options that lie side by side hide their radio buttons: there, people press the word.
    const words = place.locator('label').getByText(name)
    const roles = byRole('button').or(byRole('link')).or(byRole('tab')).or(byRole('radio'))
    return roles.or(words).filter({ visible: true }).first()
  }
  return {
    async press(name) {
      deeds().named.add(name)
      await pressable(new RegExp(`^(\\d+ )?${escaped(name)}$`)).click()
    },
    async pressWhatBegins(name) {
      deeds().named.add(name)
      await pressable(new RegExp(`^${escaped(name)}`)).click()
    },
    async pressWhatSays(words) {
      deeds().named.add(words)
      await pressable(new RegExp(escaped(words))).click()
    },
    async write(label, text) {
      deeds().named.add(label)
      deeds().typed.add(text)
      await place.getByLabel(labelled(label)).first().fill(text)
    },
    async choose(label, option) {
      deeds().named.add(label)
      deeds().named.add(option)
      await place.getByLabel(labelled(label)).selectOption({ label: option })
    },
    async sees(text) {
      await place.getByText(text).filter({ visible: true }).first().waitFor()
    },
    within: (part) => createHand(part, deeds),
  }
}
