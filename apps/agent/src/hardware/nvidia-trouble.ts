/** How nvidia-smi ended without telling us about a card. */
export type NvidiaSmiEnd =
  | { kind: 'missing' }
  | { kind: 'timeout' }
  | { kind: 'failed'; output: string }
  | { kind: 'no-cards' }

/** NVIDIA's own words, and what helps. The first that matches counts. */
const causes: { said: RegExp; what: string; help: string }[] = [
  {
    said: /driver\/library version mismatch/i,
    what: 'the NVIDIA driver was updated while it was running',
    help: 'Restart the machine (or the container)',
  },
  {
    said: /couldn't communicate with the NVIDIA driver/i,
    what: 'the NVIDIA driver is not running',
    help: 'Install the driver for this kernel, or restart the machine if it was just installed',
  },
  {
    said: /libnvidia-ml|NVML library/i,
    what: "the driver's library is missing",
    help: 'Install the NVIDIA driver again, or start the container with its GPUs (--gpus all)',
  },
  {
    said: /insufficient permissions/i,
    what: 'this user may not use it',
    help: 'Add the user to the group that owns /dev/nvidia0 (often video or render)',
  },
  {
    said: /GPU is lost|device handle|fallen off the bus/i,
    what: 'it has stopped responding',
    help: 'Restart the machine; if it happens again, check power and cooling',
  },
]

const unknownCause = {
  what: 'nvidia-smi failed',
  help: 'Run nvidia-smi to see why; often a restart of the machine or container helps',
}

/** A sentence for a machine that has the card `name`, but cannot use it. */
export function explainUnusableCard(name: string, end: NvidiaSmiEnd): string {
  const { what, help } = causeOf(end)
  return `There is a GPU (${name}), but it cannot be used: ${what}. ${help}. To run the model on the processor instead, which is much slower, add --cpu.`
}

function causeOf(end: NvidiaSmiEnd): { what: string; help: string } {
  switch (end.kind) {
    case 'missing':
      return {
        what: 'the NVIDIA driver is not installed (there is no nvidia-smi)',
        help: 'Install the driver from https://www.nvidia.com/drivers or with your package manager',
      }
    case 'timeout':
      return { what: 'nvidia-smi does not answer', help: 'Restart the machine: the driver hangs' }
    case 'no-cards':
      return {
        what: 'the driver does not find it',
        help: 'Check that the driver supports this card, or start the container with its GPUs (--gpus all)',
      }
    case 'failed':
      return causes.find(({ said }) => said.test(end.output)) ?? unknownCause
  }
}
