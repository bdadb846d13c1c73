<?php
// Loads the SDK without Composer.
declare(strict_types=1);

foreach (['errors', 'response', 'client', 'events'] as $file) require_once __DIR__ . "/src/$file.php";
