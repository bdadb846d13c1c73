<?php
// Installs WordPress in its folder, with the test shop and its keys. Run by the command line.
define('WP_INSTALLING', true);
require 'wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Ada’s shop', 'ada', 'ada@shop.example', true, '', getenv('SHOP_PASSWORD'));
update_option('show_avatars', false); // loaded from another site
update_option('shop_keys', json_decode(getenv('SHOP_KEYS'), true));
$problem = activate_plugin('shop/shop.php');
exit(is_wp_error($problem) ? $problem->get_error_message() : 0);
