import { imagesOfStandIns, output, provideImages, startEngine } from '@action-platform/container';

/** The image of the platform, as the overlay names it. */
export const PLATFORM_IMAGE = 'registry.example.com/action-platform:0.1.0';

/**
 * Builds the image of the platform, and writes it to a file with those of NATS and MongoDB.
 *
 * @returns the environment in which programs are that the engine has brought
 */
export async function saveImages(
  file: string,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<NodeJS.ProcessEnv> {
  const engine = await startEngine();
  const docker = (...args: string[]) => output('docker', args, engine.environment, signal);
  try {
    const standIns = await provideImages(engine.environment, signal);
    if (standIns.length > 0)
      say(`Standing in for what cannot be pulled, so not tried itself: ${standIns.join(', ')}`);
    say('Building the image');
    await docker('build', '--quiet', '--network=host', '--tag', PLATFORM_IMAGE, '.');
    await docker('save', '--output', file, PLATFORM_IMAGE, 'nats:2.14-alpine', 'mongo:8.2');
    return engine.environment;
  } finally {
    // Nobody is to take a stand-in for what its name says.
    if (!engine.isPrivate) {
      const images = [PLATFORM_IMAGE, ...(await imagesOfStandIns(engine.environment))];
      await output('docker', ['image', 'rm', '--force', ...images], engine.environment);
    }
    await engine.stop();
  }
}
