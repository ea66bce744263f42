/** What is pressed where any key will do. */
const anyKey = 'Enter'

/** Keys for touch screens, which have none: a button for each key that the trial waits for. Hidden where there is a mouse. */
export function createTouchKeys(body: HTMLElement, anyKeyLabel: string) {
  const row = document.createElement('div')
  row.className = 'touch-keys'
  return {
    show(keys: readonly (string | null)[]): void {
      row.replaceChildren(...keys.map((key) => keyButton(body, key ?? anyKey, key ?? anyKeyLabel)))
      // jsPsych fills the body with its own elements first.
      if (row.parentElement === null) body.append(row)
    },
  }
}

const namesOfKeys: Readonly<Record<string, string>> = {
  ' ': '␣',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
}

function keyButton(body: HTMLElement, key: string, label: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'touch-key'
  button.textContent = namesOfKeys[label] ?? (label.length === 1 ? label.toUpperCase() : label)
  const press = () => body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  const release = () => body.dispatchEvent(new KeyboardEvent('keyup', { key, bubbles: true }))
  // When the finger comes down: a click would come when it goes up again.
  button.addEventListener('pointerdown', (event) => {
    event.preventDefault()
    press()
    addEventListener('pointerup', release, { once: true })
  })
  // A screen reader or a switch clicks without a pointer.
  button.addEventListener('click', ({ detail }) => {
    if (detail !== 0) return
    press()
    release()
  })
  return button
}
