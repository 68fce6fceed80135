import { StartFault } from '#server/infra/startFault.ts';

/** The database belongs to another master key or file store than the settings name. */
export class InstallationFault extends StartFault {
  override name = 'InstallationFault';
  readonly what: 'Master key' | 'File store';

  constructor(what: InstallationFault['what'], message: string) {
    super(message);
    this.what = what;
  }
}
