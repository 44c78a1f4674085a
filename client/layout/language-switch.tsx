import { Languages } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { useNextLanguage } from './use-next-language.ts';

/** The way to the other language: its name in its own words, or where there is no room for it, an icon that is called so. */
export function LanguageSwitch({ look }: { look: 'word' | 'icon' }) {
  const { code, name, choose } = useNextLanguage();
  if (look === 'icon') {
    return (
      <IconButton label={name} lang={code} onClick={choose}>
        <Languages />
      </IconButton>
    );
  }
  return (
    <Button variant="ghost" lang={code} onClick={choose}>
      {name}
    </Button>
  );
}
