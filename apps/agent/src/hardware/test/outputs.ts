// Outputs of nvidia-smi. Recorded by us: the line of the `H200`, and what it says to a field that it does not know. All
// others are composed in the same format: names and total memory are those that people report for these cards, and
// free memory, drivers and UUIDs are made up. The listing of MIG slices is a published one with two lines changed.

/** `--query-gpu=index,uuid,name,memory.total,memory.free,driver_version,compute_cap,mig.mode.current`, without units. */
export const cards = {
  'RTX 3060': '0, GPU-1f7e, NVIDIA GeForce RTX 3060, 12288, 11909, 535.183.01, 8.6, [N/A]\n',
  'RTX 3090': '0, GPU-2a30, NVIDIA GeForce RTX 3090, 24576, 24245, 550.54.14, 8.6, [N/A]\n',
  'RTX 4090': '0, GPU-3b41, NVIDIA GeForce RTX 4090, 24564, 24106, 560.35.03, 8.9, [N/A]\n',
  'RTX 5090': '0, GPU-3c50, NVIDIA GeForce RTX 5090, 32607, 31987, 580.65.06, 12.0, [N/A]\n',
  A10G: '0, GPU-4c52, NVIDIA A10G, 23028, 22716, 570.86.15, 8.6, [N/A]\n',
  L4: '0, GPU-5d63, NVIDIA L4, 23034, 22563, 535.183.06, 8.9, [N/A]\n',
  L40S: '0, GPU-6e74, NVIDIA L40S, 46068, 45457, 570.86.15, 8.9, [N/A]\n',
  T4: '0, GPU-7f85, Tesla T4, 15360, 14923, 535.104.05, 7.5, [N/A]\n',
  'A100 40 GB': '0, GPU-8096, NVIDIA A100-SXM4-40GB, 40960, 40339, 525.85.12, 8.0, Disabled\n',
  'A100 80 GB': '0, GPU-91a7, NVIDIA A100-SXM4-80GB, 81920, 81154, 550.90.07, 8.0, Disabled\n',
  H200: '0, GPU-106a3a29, NVIDIA H200, 143771, 143156, 580.159.04, 9.0, Disabled\n',
  H100: '0, GPU-a2b8, NVIDIA H100 80GB HBM3, 81559, 81008, 550.54.15, 9.0, Disabled\n',
  'GB10 (memory shared with the processor)':
    '0, GPU-b3c9, NVIDIA GB10, [N/A], [N/A], 580.95.05, 12.1, [N/A]\n',
} as const

export const twoCards = {
  'two L40S': `0, GPU-aa01, NVIDIA L40S, 46068, 45457, 535.183.06, 8.9, [N/A]
1, GPU-aa02, NVIDIA L40S, 46068, 45457, 535.183.06, 8.9, [N/A]
`,
  'two different cards': `0, GPU-bb01, NVIDIA GeForce RTX 4090, 24564, 24106, 560.35.03, 8.9, [N/A]
1, GPU-bb02, NVIDIA GeForce RTX 3060, 12288, 11909, 560.35.03, 8.6, [N/A]
`,
} as const

/** A driver of 2020 does not know all fields. The sentence is the one that a driver of 2025 printed for us. */
export const oldDriver = {
  refusal: 'Field "compute_cap" is not a valid field to query.\n\n',
  answer: '0, GPU-cc01, Tesla V100-SXM2-16GB, 16160, 16157, 450.51.06\n',
} as const

export const mig = {
  cards: `0, GPU-b614723c-e261-4605-066e-79daab4c00ff, NVIDIA A100-SXM4-80GB, 81920, 80995, 550.90.07, 8.0, Enabled
1, GPU-e52dfcc4-406d-a3d4-f787-4402b535877a, NVIDIA A100-SXM4-80GB, 81920, 80995, 550.90.07, 8.0, Enabled
`,
  listing: `GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-b614723c-e261-4605-066e-79daab4c00ff)
  MIG 7g.80gb     Device  0: (UUID: MIG-dc34c2fd-4bd7-52ad-a6d0-645dcd1794e4)
GPU 1: NVIDIA A100-SXM4-80GB (UUID: GPU-e52dfcc4-406d-a3d4-f787-4402b535877a)
  MIG 2g.20gb     Device  0: (UUID: MIG-ec4c3916-65fa-5948-b9b5-9f21a2ddfcc0)
  MIG 1g.20gb     Device  1: (UUID: MIG-000d40d3-5924-5906-9879-8b69bf58689b)
  MIG 1g.10gb+me  Device  2: (UUID: MIG-676485be-683e-5129-83a5-f856e2ed922e)
  MIG 1c.3g.40gb  Device  3: (UUID: MIG-0d944d00-611c-52de-92cf-c348adb292c2)
`,
  /** Before driver 470, the name of a slice was made of that of its card. */
  oldListing: `GPU 0: A100-PCIE-40GB (UUID: GPU-9de3d0e8-33f5-10dc-0c79-2c88a7ab0a23)
  MIG 4g.20gb Device 0: (UUID: MIG-GPU-9de3d0e8-33f5-10dc-0c79-2c88a7ab0a23/2/0)
  MIG 1g.5gb Device 1: (UUID: MIG-GPU-9de3d0e8-33f5-10dc-0c79-2c88a7ab0a23/9/0)
`,
} as const

/** How nvidia-smi fails, in words that people report; we have seen none of them ourselves. */
export const failures = {
  'the driver is not running': {
    code: 9,
    output:
      "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n\n",
    says: /driver is not running.*Install the driver/,
  },
  'the driver was updated': {
    code: 18,
    output: 'Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 550.90\n',
    says: /updated while it was running.*Restart the machine/,
  },
  'the library is missing': {
    code: 12,
    output:
      "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system. Please make sure that the NVIDIA Display Driver is properly installed and present in your system.\n",
    says: /library is missing.*Install the NVIDIA driver again/,
  },
  'the user may not': {
    code: 4,
    output: 'Failed to initialize NVML: Insufficient Permissions\n',
    says: /this user may not use it.*group/,
  },
  'the card is lost': {
    code: 15,
    output:
      'Unable to determine the device handle for GPU 0000:01:00.0: GPU is lost.  Reboot the system to recover this GPU\n',
    says: /stopped responding.*Restart the machine/,
  },
  'a container lost its devices': {
    code: 255,
    output: 'Failed to initialize NVML: Unknown Error\n',
    says: /nvidia-smi failed.*Run nvidia-smi/,
  },
  'no card': { code: 6, output: 'No devices were found\n', says: /driver does not find it/ },
} as const

/** systeminformation's controllers. */
export const controllers = {
  appleM3Max: [{ vendor: 'Apple', model: 'Apple M3 Max', vram: null, vramDynamic: true }],
  nvidia: [
    { vendor: 'NVIDIA Corporation', model: 'GA102 [GeForce RTX 3090]', vram: 256, vramDynamic: false },
  ],
  amd: [
    {
      vendor: 'Advanced Micro Devices, Inc. [AMD/ATI]',
      model: 'Navi 31 [Radeon RX 7900 XTX]',
      vram: 256,
      vramDynamic: false,
    },
  ],
  intelBuiltIn: [
    { vendor: 'Intel Corporation', model: 'Raptor Lake-S UHD Graphics', vram: 256, vramDynamic: true },
  ],
  intelArc: [{ vendor: 'Intel Corporation', model: 'Intel Arc A770', vram: 16_384, vramDynamic: false }],
}
